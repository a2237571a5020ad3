import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Reads certificates with Node alone: `inventory-peer-run.ts FOLDER`; prints their number on standard output.
const folder = process.argv[2] ?? "";
const certificates = readdirSync(folder).map((name) => new X509Certificate(readFileSync(join(folder, name))));
process.stdout.write(`${certificates.length}\n`);
