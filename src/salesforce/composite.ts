import { listOf, objectOf, textOf } from './answers.ts';
import { classifyAnswer, crmError, isBystander } from './classify.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences } from './references.ts';
import type { RestAnswer, RestCall, Session } from './session.ts';

/** Salesforce's limit of sub-requests in one composite request. */
export const MAX_SUB_REQUESTS = 25;

export type SubRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * The path below `/services/data/vNN.N`. In it, `@{reference.id}` is replaced by the id in the answer to the earlier sub-request with
   * this reference id.
   */
  readonly path: string;
  readonly referenceId: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type SubAnswer = {
  readonly referenceId: string;
  readonly status: number;
  readonly body: unknown;
  /** The sub-request's own error. Null if it succeeded, or if it failed only because another sub-request failed. */
  readonly error: CrmError | null;
};

/**
 * The answers to a request's sub-requests, with the time by the CRM's clock (the `Date` header), and the integration user's id if the
 * sign-in returned it.
 */
export type CompositeAnswer = Pick<RestAnswer, 'date' | 'userId'> & { readonly parts: readonly SubAnswer[] };

type CompositeCall = RestCall & { readonly allOrNone: boolean };

/**
 * Sends up to 25 sub-requests as one request, and returns their answers in order. Throws only if the whole request failed. Before it sends
 * anything, it throws a `permanent` error REFERENCE_IN_VALUE if a value looks like a reference to another sub-request's answer (`@{…}`).
 */
export async function sendComposite(
  session: Session,
  requests: readonly SubRequest[],
  call: CompositeCall,
): Promise<readonly SubAnswer[]> {
  return (await askComposite(session, requests, call)).parts;
}

/** Sub-requests of a composite request that belong together. `read` converts their answers to a result. */
export type Load<Out> = {
  readonly requests: readonly SubRequest[];
  readonly read: (answer: CompositeAnswer) => Out;
};

/**
 * Sends several sets of sub-requests as one request, in order. Returns a function for each set that converts its answers. If a sub-request
 * fails, the others still apply. If all sets are empty, nothing is sent.
 */
export async function sendLoads<Outs extends readonly unknown[]>(
  session: Session,
  loads: readonly [...{ [Place in keyof Outs]: Load<Outs[Place]> }],
  call: RestCall,
): Promise<{ readonly [Place in keyof Outs]: () => Outs[Place] }> {
  const requests = loads.flatMap((load) => load.requests);
  const nothing: CompositeAnswer = { parts: [], date: null, userId: null };
  const answer = requests.length === 0 ? nothing : await askComposite(session, requests, { ...call, allOrNone: false });
  let start = 0;
  const reads = loads.map((load) => {
    const parts = answer.parts.slice(start, start + load.requests.length);
    start += load.requests.length;
    return () => load.read({ ...answer, parts });
  });
  return reads as { [Place in keyof Outs]: () => Outs[Place] };
}

async function askComposite(
  session: Session,
  requests: readonly SubRequest[],
  call: CompositeCall,
): Promise<CompositeAnswer> {
  const refused = refusedReferences(requests.map((request) => request.body));
  if (refused !== null) throw refused;
  const body = {
    allOrNone: call.allOrNone,
    compositeRequest: requests.map((request) => partOf(session, request)),
  };
  const answer = await session.request({ method: 'POST', path: '/composite', body }, call);
  const parts = listOf(objectOf(answer.body)['compositeResponse'], requests.length);
  return {
    parts: parts.map((part, place) => subAnswer(objectOf(part), requests[place]?.referenceId)),
    date: answer.date,
    userId: answer.userId,
  };
}

/** Converts a sub-request to the form that Salesforce's composite API expects. */
export function partOf(session: Session, { method, path, referenceId, body, headers }: SubRequest): object {
  return {
    method,
    url: `${session.root}${path}`,
    referenceId,
    httpHeaders: { ...session.writeHeaders, ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Converts one part of a composite answer to the answer of its sub-request. Throws `transient` if the part names another sub-request than
 * expected.
 */
export function subAnswer(part: Readonly<Record<string, unknown>>, asked: string | undefined): SubAnswer {
  const { referenceId, httpStatusCode: status, body } = part;
  if (referenceId !== asked || !isStatus(status)) throw crmError('transient', 'MALFORMED_ANSWER');
  return { referenceId: textOf(referenceId), status, body, error: errorOf(status, body) };
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 200 && value < 600;
}

/** The answer of the sub-request that made an all-or-none request fail; null if the request was applied. */
export function failureOf(answers: readonly SubAnswer[]): SubAnswer | null {
  return answers.find((answer) => answer.error !== null) ?? answers.find((answer) => answer.status >= 400) ?? null;
}

/**
 * In the answer to a refused all-or-none request with many rows, the index of the row that made the request fail. Null if the answer does
 * not show which row was the cause.
 */
export function failedRowOf({ body }: SubAnswer): number | null {
  if (!Array.isArray(body)) return null;
  const row = body.findIndex((each) => isFailedRow(each) && !isBystander([each]));
  return row < 0 ? null : row;
}

function errorOf(status: number, body: unknown): CrmError | null {
  const failedRows = Array.isArray(body) ? body.filter(isFailedRow) : [];
  if (status < 400 && failedRows.length === 0) return null;
  const blamed = failedRows.length > 0 ? failedRows : body;
  return isBystander(blamed) ? null : classifyAnswer(Math.max(status, 400), blamed);
}

/** Whether a row in the answer to a request with many rows was refused. The answer itself has status 200 even then. */
export function isFailedRow(row: unknown): row is { readonly success: false; readonly errors: unknown } {
  return typeof row === 'object' && row !== null && (row as { success?: unknown }).success === false;
}
