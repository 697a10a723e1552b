import { CrmError } from './errors.ts';
import { type GraphAnswer, sendGraphs } from './send-graphs.ts';
import type { Session } from './session.ts';

/**
 * Finds out by a test whether the org respects the condition `If-Unmodified-Since` in composite graphs, because no document says so. If an
 * org ignored the condition, an update in a graph could overwrite a user's edit.
 */
export interface GraphConditions {
  /** Whether updates may be sent as composite graphs: true if the org respects `If-Unmodified-Since` in them, or was not tested yet. */
  mayCount(): boolean;
  /**
   * Whether the org respects `If-Unmodified-Since` in composite graphs. If this is unknown, one request tests it with these opportunities,
   * without changing anything.
   */
  doCount(opportunityIds: readonly string[]): Promise<boolean>;
  /** Forbids composite graphs for an hour, because a request of graphs failed or was slow. */
  leave(): void;
}

export type GraphConditionsOptions = {
  readonly session: Session;
  readonly now: () => number;
  /**
   * Called with the result of the first test, and with each later result that differs from the one before. `doCount`: whether the org
   * respects `If-Unmodified-Since` in composite graphs.
   */
  readonly onShown?: ((doCount: boolean) => void) | undefined;
};

/**
 * How long, in milliseconds, the result of the test of `If-Unmodified-Since` in composite graphs is used. `KEPT_MS` is for a clear result,
 * and for the time without graphs after a failed or slow request. `UNREPORTED_MS` is for a test that did not show whether the org respects
 * the condition, for example because the request failed. After a new sign-in, no earlier result is used, because the org may now give
 * another answer.
 */
const KEPT_MS = 3_600_000;
const UNREPORTED_MS = 60_000;

/** How many composite graphs the test sends: two, so that it also shows how the org handles several graphs in one request. */
const ASKED = 2;
const LONG_AGO = new Date(Date.UTC(2000, 0, 1)).toUTCString();
/**
 * An id in the form of an opportunity's id that no record has. The test reads it in each composite graph, so that the graph fails and
 * changes no record.
 */
const NOBODY = '006000000000000AAA';

/** Used for a tenant whose settings forbid composite graphs: graphs are never used, and the org is never tested. */
export const NO_CONDITIONS: GraphConditions = {
  mayCount: () => false,
  doCount: async () => false,
  leave: () => undefined,
};

export function createGraphConditions({ session, now, onShown }: GraphConditionsOptions): GraphConditions {
  let known: { readonly doCount: boolean; readonly untilMs: number; readonly signIns: number } | null = null;
  let lastShown: boolean | null = null;
  let asking: Promise<boolean> | null = null;

  function current(): boolean | null {
    return known !== null && known.signIns === session.signIns() && now() < known.untilMs ? known.doCount : null;
  }

  function note(doCount: boolean, forMs: number): boolean {
    known = { doCount, untilMs: now() + forMs, signIns: session.signIns() };
    return doCount;
  }

  async function ask(opportunityIds: readonly string[]): Promise<boolean> {
    const shown = await askOrg(session, opportunityIds.slice(0, ASKED));
    if (shown === null) return note(false, UNREPORTED_MS);
    if (shown !== lastShown) onShown?.(shown);
    lastShown = shown;
    return note(shown, KEPT_MS);
  }

  return {
    mayCount: () => current() ?? true,
    async doCount(opportunityIds) {
      const shown = current();
      if (shown !== null) return shown;
      asking ??= ask(opportunityIds).finally(() => {
        asking = null;
      });
      return asking;
    },
    leave: () => void note(false, KEPT_MS),
  };
}

/**
 * Tests whether the org respects `If-Unmodified-Since` in composite graphs. Sends empty updates with a condition that no record meets, in
 * graphs that fail in any case, so no record changes. Returns true if the condition caused status 412 in each graph, false if the condition
 * had no effect or the org does not accept it, and null if the test shows nothing.
 */
async function askOrg(session: Session, opportunityIds: readonly string[]): Promise<boolean | null> {
  if (opportunityIds.length === 0) return null;
  const graphs = opportunityIds.map((id, place) => [
    {
      method: 'PATCH' as const,
      path: `/sobjects/Opportunity/${id}`,
      referenceId: `condition${place}`,
      body: {},
      headers: { 'If-Unmodified-Since': LONG_AGO },
    },
    { method: 'GET' as const, path: `/sobjects/Opportunity/${NOBODY}`, referenceId: `nobody${place}` },
  ]);
  try {
    return shownBy(await sendGraphs(session, graphs, { operation: 'graphConditions' }));
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    // The org has no graphs, or refuses headers in them. Other failures may be temporary.
    return error.kind === 'gone' || error.kind === 'permanent' ? false : null;
  }
}

function shownBy(answers: readonly GraphAnswer[]): boolean | null {
  const conditions = answers.flatMap(({ parts: [condition] }) => condition ?? []);
  // The condition did not stop this node: the node succeeded, or failed only because the other node failed.
  if (conditions.some(({ error }) => error === null)) return false;
  return conditions.every(({ status }) => status === 412) ? true : null;
}
