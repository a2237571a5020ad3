"use strict";

const crypto = require("node:crypto");
const { promisify } = require("node:util");

const generateNow = crypto.generateKeyPairSync;
const generateLater = promisify(crypto.generateKeyPair);

/** Pairs of RSA keys that test files of this worker have had, by the options of their generation. */
const pools = new Map();

/** Generating a pair of 2048 bits takes 170 ms of CPU time, so the test files of a worker have the same pairs. A file never gets one pair twice. */
function poolOf(options) {
  const name = JSON.stringify(options);
  const pool = pools.get(name) ?? { pairs: [], next: 0 };
  pools.set(name, pool);
  return pool;
}

function generateKeyPairSync(type, options) {
  if (type !== "rsa") return generateNow(type, options);
  const pool = poolOf(options);
  const index = pool.next++;
  pool.pairs[index] ??= generateNow(type, options);
  return { ...pool.pairs[index] };
}

async function generateKeyPair(type, options) {
  if (type !== "rsa") return generateLater(type, options);
  const pool = poolOf(options);
  const index = pool.next++;
  pool.pairs[index] ??= await generateLater(type, options);
  return { ...pool.pairs[index] };
}

function generateKeyPairWithCallback(type, options, callback) {
  generateKeyPair(type, options).then(
    ({ publicKey, privateKey }) => callback(null, publicKey, privateKey),
    (error) => callback(error),
  );
}

crypto.generateKeyPairSync = generateKeyPairSync;
crypto.generateKeyPair = Object.assign(generateKeyPairWithCallback, { [promisify.custom]: generateKeyPair });

/** Starts a test file: the next pair is the first of the pool again. */
exports.rewind = () => {
  for (const pool of pools.values()) pool.next = 0;
};
