/**
 * The result of a check. `fails`: Lockstep cannot work; `warns`: Lockstep works, but with a fault; `skipped`: the check could not be made.
 */
export type Verdict = 'ok' | 'warns' | 'fails' | 'skipped';

export type Finding = {
  /** The check's stable name, such as `salesforce.fields`. */
  readonly check: string;
  /** The tenant's name; null for a finding about the installation. */
  readonly tenant: string | null;
  readonly verdict: Verdict;
  /** The result of the check as a sentence. It contains names and codes, but no values of records and no secrets. */
  readonly what: string;
  /** What the operator must do; null if there is nothing to do. */
  readonly repair: string | null;
};

export type Diagnosis = { readonly shape: 'doctor/1'; readonly findings: readonly Finding[] };

/** One check of `lockstep doctor`. It reads, and changes nothing. */
export type Check = {
  readonly check: string;
  readonly tenant: string | null;
  readonly run: () => Promise<readonly Judgment[]>;
  /** What the operator must do if the check throws. */
  readonly repair: string;
};

export type Judgment = Pick<Finding, 'verdict' | 'what' | 'repair'>;

export function ok(what: string): Judgment {
  return { verdict: 'ok', what, repair: null };
}

const SHOW = 'give the integration user "View Setup and Configuration" for as long as this is looked at, or look';

/**
 * Makes a judgment with the verdict `skipped`, for a part of the org's setup that the integration user may not read. Its repair: give the
 * user the permission to read the setup, or look at the part in Salesforce. `where`: the place of the part in Salesforce's setup.
 */
export function hidden(what: string, where: string): Judgment {
  return { verdict: 'skipped', what, repair: `${SHOW} ${where}` };
}

/** Error codes of remote systems that have the same repair in every check, each with this repair. */
const REPAIRS = [
  [
    'UNSUPPORTED_API_VERSION',
    'set salesforce.apiVersion of the tenant file to a version that the org lists at /services/data',
  ],
] as const;

/**
 * Runs all checks, one after the other, and returns their findings. If a check throws, its finding is `fails`, and `reasonOf` gives the
 * text of the reason.
 */
export async function examine(checks: readonly Check[], reasonOf: (error: unknown) => string): Promise<Diagnosis> {
  const findings: Finding[] = [];
  for (const { check, tenant, run, repair } of checks) {
    const judgments = await run().catch((error: unknown): readonly Judgment[] => {
      const what = reasonOf(error);
      return [{ verdict: 'fails', what, repair: REPAIRS.find(([code]) => what.includes(code))?.[1] ?? repair }];
    });
    findings.push(...judgments.map((judgment) => ({ check, tenant, ...judgment })));
  }
  return { shape: 'doctor/1', findings };
}
