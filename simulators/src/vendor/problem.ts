/** A refusal of the simulated API: HTTP status and the vendor's error code (sales spec 7). */
export type Problem = {
  readonly status: 400 | 404 | 405 | 406 | 500;
  readonly code: string;
  readonly message: string;
};

/** A result, or the reason for its refusal. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function refused(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}

/** The code of a refusal that only a strict sandbox gives. */
export const STRICT_CODE = 'SANDBOX_STRICT';

/** A refusal for which the documents show no code. */
export function sandboxInvalid(message: string): Problem {
  return { status: 400, code: 'SANDBOX_INVALID', message };
}

export const PROBLEMS = {
  duplicateReference: {
    status: 400,
    code: 'ERR801',
    message: 'A lead or opportunity with this partnerLeadOpportunityId already exists.',
  },
  badPeriod: {
    status: 400,
    code: 'ERROR_043',
    message: 'modifiedDate is invalid: both start (fromDate) and end (toDate) dates must be passed.',
  },
  badTop: { status: 400, code: 'ERROR_004', message: 'top must be a positive non-zero integer.' },
  badDate: { status: 406, code: 'ERR805', message: 'Date is not in ISO 8601 format.' },
  outOfScope: {
    status: 500,
    code: 'ERROR_048',
    message: 'The lead or opportunity does not exist or is not in the scope of the requestor.',
  },
} as const satisfies Readonly<Record<string, Problem>>;
