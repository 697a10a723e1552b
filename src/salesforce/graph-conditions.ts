import { CrmError } from './errors.ts';
import { type GraphAnswer, sendGraphs } from './send-graphs.ts';
import type { Session } from './session.ts';

/**
 * Whether conditions count in an org's composite graphs. Salesforce's guide has listed headers of nodes and does so no more, and a
 * condition that is left out of account would let an edit be overwritten: so the org has to show it.
 */
export interface GraphConditions {
  /** Whether nothing speaks against graphs: they have shown good, or were not asked yet. */
  mayCount(): boolean;
  /** Whether they count, as the org has shown; it is asked where that is not known, by one request about these opportunities. */
  doCount(opportunityIds: readonly string[]): Promise<boolean>;
  /** Takes graphs for unfit for an hour, whatever the org has shown. */
  leave(): void;
}

export type GraphConditionsOptions = {
  readonly session: Session;
  readonly now: () => number;
  /** Told where what the org shows is new. */
  readonly onShown?: ((doCount: boolean) => void) | undefined;
};

/** An answer is good for so long, and for one session; one that says nothing for the shorter time. */
const KEPT_MS = 3_600_000;
const UNREPORTED_MS = 60_000;

/** Graphs of one kind of node, as what is to be written is: several, should the org take such nodes together. */
const ASKED = 2;
const LONG_AGO = new Date(Date.UTC(2000, 0, 1)).toUTCString();
/** Has the form of an opportunity's id, and is none's. */
const NOBODY = '006000000000000AAA';

/** Of an org whose graphs are not to be used. */
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
    return known !== null && known.signIns === session.signIns() && now() < known.untilMs
      ? known.doCount
      : null;
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
 * Asks for changes of nothing on a condition that no record meets, in graphs that fall in any case by their second node: whatever
 * the org makes of them, no record is changed. Only 412 says that the condition counted. Null where that cannot be told.
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
    // It does not know graphs, or takes none with headers; all else may pass.
    return error.kind === 'gone' || error.kind === 'permanent' ? false : null;
  }
}

function shownBy(answers: readonly GraphAnswer[]): boolean | null {
  const conditions = answers.flatMap(({ parts: [condition] }) => condition ?? []);
  // What fell with the other node alone, or was carried out, was held back by no condition.
  if (conditions.some(({ error }) => error === null)) return false;
  return conditions.every(({ status }) => status === 412) ? true : null;
}
