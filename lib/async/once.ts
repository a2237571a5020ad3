/**
 * Returns a function that asks once for each key, and returns the same answer to everybody who asks for the key
 * meanwhile or later, also a failure.
 */
export function onceForEach<Rest extends readonly unknown[], Result>(
  ask: (key: string, ...rest: Rest) => Promise<Result>,
): (key: string, ...rest: Rest) => Promise<Result> {
  const asked = new Map<string, Promise<Result>>();
  return (key, ...rest) => {
    const answer = asked.get(key) ?? ask(key, ...rest);
    asked.set(key, answer);
    return answer;
  };
}
