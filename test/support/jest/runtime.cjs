"use strict";

const asyncHooks = require("node:async_hooks");
const { sep } = require("node:path");
const { Script } = require("node:vm");
const Runtime = require("jest-runtime").default;
const WorkerEnvironment = require("./environment.cjs");

const nodeModules = `${sep}node_modules${sep}`;

/** Compiled modules of the worker by file name. */
const scripts = new Map();

/** Storages that the test file has made. */
const storages = [];

/**
 * With each promise, Node passes on the values of every storage that was ever used. Jest makes a storage in each test file, so each file would have slower
 * promises than the file before.
 */
const asyncHooksOfFile = {
  ...asyncHooks,
  AsyncLocalStorage: class extends asyncHooks.AsyncLocalStorage {
    constructor(...args) {
      super(...args);
      storages.push(this);
    }
  },
};

/**
 * Loads modules of node_modules, jest's own included, once in each worker instead of once in each test file, and compiles the modules of this repository
 * once in each worker. Modules of this repository still run anew in each test file, so that no state of theirs passes from file to file.
 */
class SharingRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const [config, environment] = args;
    this.shares = environment instanceof WorkerEnvironment;
    if (!this.shares) return;
    this.executor.compile = (code, filename) => compiled(code, filename, this.executor.injectedModuleParameters);
    this.unshared = (config.testEnvironmentOptions.unsharedPackages ?? []).map((name) => `${nodeModules}${name}${sep}`);
  }

  requireModule(from, name, options, isRequireActual) {
    if (this.shares && /^(?:node:)?async_hooks$/.test(name ?? "")) return asyncHooksOfFile;
    const path = this.shares && this.shared(from, name, options?.isInternalModule ?? false);
    if (path) return share(path);
    const load = () => super.requireModule(from, name, options, isRequireActual);
    // An isolated copy of a kit makes the global map of tokens that the shared copy uses afterwards.
    return this.shares && this.isIsolatedPackage(from, name) ? WorkerEnvironment.whileSharing(load) : load();
  }

  isIsolatedPackage(from, name) {
    if (!this.registries.isIsolated() || (name && this._resolution.isCoreModule(name))) return false;
    return this._resolution.resolveCjs(from, name).includes(nodeModules);
  }

  shared(from, name, isInternal) {
    if (name && this._resolution.isCoreModule(name)) return undefined;
    const path = this._resolution.resolveCjs(from, name);
    if (isInternal) return path.includes(`${nodeModules}jest-circus${sep}`) ? undefined : path;
    if (!path.includes(nodeModules) || this.registries.isIsolated()) return undefined;
    return this.unshared.some((each) => path.includes(each)) ? undefined : path;
  }

  teardown() {
    super.teardown();
    for (const storage of storages.splice(0)) storage.disable();
  }

  /** Jest replaces a function of `process`, which is the worker's own in a shared environment. */
  installGetBuiltinModule() {
    if (!(this._environment instanceof WorkerEnvironment)) super.installGetBuiltinModule();
  }
}

const share = (path) => WorkerEnvironment.whileSharing(() => require(path));

function compiled(code, filename, parameters) {
  const known = scripts.get(filename);
  if (known?.code === code) return known.script.runInThisContext();
  const prefix = `(function (${parameters.join(", ")}) {`;
  const script = new Script(`${prefix}${code}\n})`, { filename, columnOffset: -prefix.length });
  scripts.set(filename, { code, script });
  return script.runInThisContext();
}

module.exports = SharingRuntime;
