/** What one check found; `fails`: work cannot go on so, `warns`: it can, and will suffer, `skipped`: it could not be asked. */
export type Verdict = 'ok' | 'warns' | 'fails' | 'skipped';

export type Finding = {
  /** What was looked at, by a name that stays, such as `salesforce.fields`. */
  readonly check: string;
  /** Null where it is about the installation. */
  readonly tenant: string | null;
  readonly verdict: Verdict;
  /** In words; names and codes, no values and no secrets. */
  readonly what: string;
  /** What to do; null where nothing is. */
  readonly repair: string | null;
};

export type Diagnosis = { readonly shape: 'doctor/1'; readonly findings: readonly Finding[] };

/** One thing to look at; it reads and changes nothing. */
export type Check = {
  readonly check: string;
  readonly tenant: string | null;
  readonly run: () => Promise<readonly Judgment[]>;
  /** What to do where it cannot be looked at. */
  readonly repair: string;
};

export type Judgment = Pick<Finding, 'verdict' | 'what' | 'repair'>;

export function ok(what: string): Judgment {
  return { verdict: 'ok', what, repair: null };
}

/** Looks at everything, one after the other; what cannot be looked at is a finding too, and stops no other. */
export async function examine(
  checks: readonly Check[],
  reasonOf: (error: unknown) => string,
): Promise<Diagnosis> {
  const findings: Finding[] = [];
  for (const { check, tenant, run, repair } of checks) {
    const judgments = await run().catch((error: unknown): readonly Judgment[] => [
      { verdict: 'fails', what: reasonOf(error), repair },
    ]);
    findings.push(...judgments.map((judgment) => ({ check, tenant, ...judgment })));
  }
  return { shape: 'doctor/1', findings };
}
