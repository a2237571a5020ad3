// Loaded by its path: with a seed, jest resolves `fast-check` to this file (jest.config.cjs).
import fc from "../../node_modules/fast-check/lib/cjs/fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED) });

export * from "../../node_modules/fast-check/lib/cjs/fast-check";
export default fc;
