/** The reasons why the console refuses a request, each with its HTTP status. */
const STATUS = {
  invalid: 400,
  'not-signed-in': 401,
  'not-allowed': 403,
  'foreign-page': 403,
  unknown: 404,
  'too-large': 413,
  conflict: 409,
  'too-many-requests': 429,
  failed: 500,
  'remote-failed': 502,
  'ledger-unavailable': 503,
} as const;

export type RefusalCode = keyof typeof STATUS;
export type RefusalStatus = (typeof STATUS)[RefusalCode];

/** Thrown for a request that is refused. The message is a sentence for the person who sent the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly retryAfterSeconds: number | null;

  constructor(code: RefusalCode, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): RefusalStatus {
    return STATUS[this.code];
  }
}

/**
 * The refusal code for each expected error, by the class name of the error. Names are compared, so that this file need not load the clients
 * of the remote systems, which define some of the errors.
 */
const OF_ERRORS: Readonly<Record<string, RefusalCode>> = {
  UnknownRecord: 'unknown',
  UnknownTenant: 'unknown',
  UnknownChannel: 'unknown',
  UnknownField: 'invalid',
  CannotResolve: 'conflict',
  CannotRotate: 'conflict',
  CannotBackfill: 'conflict',
  CannotPlan: 'conflict',
  CannotPauseLoad: 'conflict',
  AuditUnderWay: 'conflict',
  CannotLink: 'conflict',
  CannotUnlink: 'conflict',
  TooManyOrders: 'conflict',
  CannotUndo: 'conflict',
  CannotPublish: 'conflict',
  UnusableMapping: 'invalid',
  TenantsRefused: 'conflict',
  Unanswered: 'ledger-unavailable',
  LedgerError: 'ledger-unavailable',
  CliError: 'ledger-unavailable',
  PartnerApiError: 'remote-failed',
  CrmError: 'remote-failed',
};

/** Converts a thrown value to a refusal with a message for the person. Null for an unexpected error, whose message may quote values. */
export function refusalOf(thrown: unknown): Refusal | null {
  if (thrown instanceof Refusal) return thrown;
  if (!(thrown instanceof Error)) return null;
  const code = OF_ERRORS[thrown.name];
  return code === undefined ? null : new Refusal(code, thrown.message);
}
