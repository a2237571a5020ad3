import { fitsStarPattern, type LoggedRequest } from "../cloud";
import type { Terraform } from "./terraform";

/** Kills Terraform with SIGKILL at the first successful answers to chosen method ids, in their order. */
export class Kills {
  readonly #methods: string[];
  readonly #say: (line: string) => void;
  #terraform: Pick<Terraform, "kill" | "name"> | undefined;
  #count = 0;

  /** @param methods method ids, in which `*` matches any text */
  constructor(methods: readonly string[], say: (line: string) => void) {
    this.#methods = [...methods];
    this.#say = say;
  }

  /** Number of kills so far. */
  get count(): number {
    return this.#count;
  }

  /** Method ids at whose first answers Terraform will be killed. */
  get left(): readonly string[] {
    return this.#methods;
  }

  add(method: string): void {
    this.#methods.push(method);
  }

  /** Sets the Terraform that is killed; before that, nothing is. */
  aim(terraform: Pick<Terraform, "kill" | "name">): void {
    this.#terraform = terraform;
  }

  /** Kills Terraform if the request is the next one of the list. */
  answered({ status, method = "" }: Pick<LoggedRequest, "status" | "method">): void {
    const [next] = this.#methods;
    if (next === undefined || status >= 300 || !fitsStarPattern(next, method)) return;
    if (this.#terraform?.kill() !== true) return;
    this.#methods.shift();
    this.#count += 1;
    this.#say(`killed ${this.#terraform.name.product} at ${method}`);
  }
}
