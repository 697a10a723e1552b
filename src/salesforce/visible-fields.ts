import { listOf, objectOf, textOf } from './answers.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import {
  ESSENTIAL_FIELDS,
  fullSelection,
  GRAPH_OBJECTS,
  type GraphObject,
  type GraphSelection,
} from './graph-fields.ts';
import type { RestCall, Session } from './session.ts';

/** How long a narrowed selection is trusted before all fields are asked for again. */
const NARROWED_FOR_MS = 10 * 60_000;

export interface VisibleFields {
  /** What to ask for now. */
  selection(): GraphSelection;
  /** After INVALID_FIELD: asks the org what the user may see. Throws `drift` when an essential field is hidden. */
  narrow(call: RestCall): Promise<GraphSelection>;
}

/**
 * Assumes that every field of the package may be seen, and looks only when a query says otherwise: a hidden field is
 * then left out of the rows, which means "unknown" to the domain.
 */
export function createVisibleFields(
  session: Session,
  options: { readonly multiCurrency: boolean; readonly now: () => number },
): VisibleFields {
  const full = fullSelection(options.multiCurrency);
  let narrowed: { readonly selection: GraphSelection; readonly atMs: number } | null = null;
  return {
    selection() {
      if (narrowed !== null && options.now() - narrowed.atMs >= NARROWED_FOR_MS) narrowed = null;
      return narrowed?.selection ?? full;
    },
    async narrow(call) {
      const selection: Record<GraphObject, readonly string[]> = { ...full };
      for (const object of GRAPH_OBJECTS) {
        const visible = await fieldNames(session, object, call);
        const hidden = ESSENTIAL_FIELDS[object].filter((name) => !visible.has(name));
        if (hidden.length > 0) {
          throw crmError('drift', 'INVALID_FIELD', { fields: hidden.map((name) => `${object}.${name}`) });
        }
        selection[object] = full[object].filter((name) => visible.has(name));
      }
      narrowed = { selection, atMs: options.now() };
      return selection;
    },
  };
}

async function fieldNames(session: Session, object: string, call: RestCall): Promise<ReadonlySet<string>> {
  const path = `/sobjects/${object}/describe`;
  try {
    const answer = await session.request({ method: 'GET', path }, call);
    const fields = listOf(objectOf(answer.body)['fields']);
    return new Set(fields.map((field) => textOf(objectOf(field)['name'])));
  } catch (error) {
    if (!(error instanceof CrmError) || error.kind !== 'gone') throw error;
    throw crmError('drift', 'INVALID_TYPE', { fields: [object] });
  }
}
