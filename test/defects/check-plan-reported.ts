import { runCli } from "../support/io";

interface Verdict {
  readonly dangers: readonly { readonly code: string; readonly hostnames?: readonly string[] }[];
}

/** Code and hostnames of all that 'cert-migration check-plan' reports of a plan, and its exit code. */
export async function reportedBy(
  plan: string,
  ...words: readonly string[]
): Promise<{ readonly exitCode: number; readonly reported: readonly string[] }> {
  const { exitCode, stdout, stderr } = await runCli(["check-plan", "-", "--json", ...words], { stdin: plan });
  if (stdout === "") throw new Error(stderr);
  const { dangers } = JSON.parse(stdout) as Verdict;
  return {
    exitCode,
    reported: dangers.map(({ code, hostnames }) => [code, [...(hostnames ?? [])].sort().join()].join(" ")).sort(),
  };
}
