import { CrmError } from './errors.ts';
import { type GraphAnswer, sendGraphs } from './send-graphs.ts';
import type { Session } from './session.ts';

/**
 * Knows whether the org honours `If-Unmodified-Since` in composite graphs, which no document says. If the org ignored it, an update could
 * overwrite an edit.
 */
export interface GraphConditions {
  /** Whether composite graphs may be used: true if the org honours conditions in them or was not tested yet. */
  mayCount(): boolean;
  /** Returns whether the org honours conditions. If that is unknown, one request tests it on these opportunities and changes nothing. */
  doCount(opportunityIds: readonly string[]): Promise<boolean>;
  /** Makes updates use no composite graphs for an hour. */
  leave(): void;
}

export type GraphConditionsOptions = {
  readonly session: Session;
  readonly now: () => number;
  /** Called with the result of the first test, and with each later result that differs from the last. */
  readonly onShown?: ((doCount: boolean) => void) | undefined;
};

/** How long a test result counts, in milliseconds, within one session. An inconclusive result counts for the shorter time. */
const KEPT_MS = 3_600_000;
const UNREPORTED_MS = 60_000;

/** The number of composite graphs in the test. Two, so that the test also shows how the org handles several graphs in one request. */
const ASKED = 2;
const LONG_AGO = new Date(Date.UTC(2000, 0, 1)).toUTCString();
/** An id that has the form of an opportunity's id, but belongs to no record. */
const NOBODY = '006000000000000AAA';

/** The value for a tenant whose settings forbid composite graphs: they are never used and never tested. */
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
 * Tests whether the org honours conditions in composite graphs. Sends empty updates on a condition that no record meets, in graphs that
 * fail in any case, so no record changes. Returns true only after status 412; null if the test is inconclusive.
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
