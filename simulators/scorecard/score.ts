/** What one call or test of a client came to. */
export type Outcome = { readonly name: string; readonly passed: boolean; readonly detail: string };

/** A client's card: what ran, and what was left out with the reason. */
export type Score = {
  readonly client: string;
  readonly version: string;
  readonly outcomes: readonly Outcome[];
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
};

/** A card as lines: its count, each failure, and what was left out. */
export function scoreLines({ client, version, outcomes, leftOut }: Score): readonly string[] {
  const passed = outcomes.filter((outcome) => outcome.passed).length;
  return [
    `${client} ${version}: ${passed} of ${outcomes.length}`,
    ...outcomes.filter((outcome) => !outcome.passed).map(({ name, detail }) => `  failed  ${name}: ${detail}`),
    ...leftOut.map(({ name, reason }) => `  left out  ${name}: ${reason}`),
  ];
}
