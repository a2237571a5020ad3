"use strict";

const { channel } = require("node:diagnostics_channel");
const { LegacyFakeTimers, ModernFakeTimers } = require("@jest/fake-timers");
const { ModuleMocker } = require("jest-mock");
const rsaKeys = require("./rsa-keys.cjs");

/** Modules of node_modules add globals that other modules of theirs rely on; these stay for all test files of a worker. */
const ofSharedModules = new Set();

/**
 * Runs a test file with the globals of its worker instead of a `vm` context of its own, so that test files can share modules: an `Error` or an `Array` of
 * a shared module is an `Error` or an `Array` of the test, as in a program. After the file it puts back what the file has changed: globals, the
 * environment variables, the working directory, and the listeners, exit code and functions of `process`.
 */
class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #restore = rememberState();

  constructor({ projectConfig }) {
    const common = { config: projectConfig, global: globalThis };
    const timerConfig = { idToRef: (id) => ({ id, ref: () => id, unref: () => id }), refToId: (timer) => timer?.id };
    this.fakeTimers = new LegacyFakeTimers({ ...common, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers(common);
  }

  async setup() {
    rsaKeys.rewind();
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.#restore();
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  /** Never used: `runtime.cjs` compiles for the globals of the worker. Jest asks whether the environment is disposed. */
  getVmContext() {
    return globalThis;
  }
}

function rememberState() {
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const properties = Object.getOwnPropertyDescriptors(process);
  const env = { ...process.env };
  const { exitCode } = process;
  const folder = process.cwd();
  const listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  return () => {
    restoreProperties(globalThis, globals, ofSharedModules);
    restoreProperties(process, properties, new Set(["_events", "_eventsCount"]));
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    if (process.cwd() !== folder) process.chdir(folder);
    for (const event of process.eventNames()) {
      for (const listener of process.rawListeners(event)) {
        if (!listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
      }
    }
  };
}

function restoreProperties(object, before, kept) {
  for (const key of Reflect.ownKeys(object)) {
    const was = before[key];
    const is = Object.getOwnPropertyDescriptor(object, key);
    if (kept.has(key) || !is.configurable) continue;
    if (was === undefined) delete object[key];
    else if (is.value !== was.value || is.get !== was.get) Object.defineProperty(object, key, was);
  }
}

/** Loads modules that all test files of the worker share. */
WorkerEnvironment.whileSharing = (load) => {
  const before = new Set(Reflect.ownKeys(globalThis));
  try {
    return load();
  } finally {
    for (const key of Reflect.ownKeys(globalThis)) if (!before.has(key)) ofSharedModules.add(key);
  }
};

/**
 * The channels that `held-to-reading.ts` subscribes to. Without a reference, Node forgets a channel, and the finalizer of the forgotten channel can remove
 * the one that `node:http` or `fetch` has made since, so that later subscribers get no messages.
 */
WorkerEnvironment.channels = ["undici:request:create", "http.client.request.start"].map((name) => channel(name));

module.exports = WorkerEnvironment;
