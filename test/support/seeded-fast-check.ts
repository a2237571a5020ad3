// By its path: `fast-check` itself leads here when the tests are given a seed (jest.config.cjs).
import fc from "../../node_modules/fast-check/lib/cjs/fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED) });

export * from "../../node_modules/fast-check/lib/cjs/fast-check";
export default fc;
