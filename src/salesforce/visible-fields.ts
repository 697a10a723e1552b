import { NARROWED_FOR_MS } from '../domain/record/crm-schema.ts';
import type { CrmNames } from '../domain/record/mapping-config.ts';
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

export interface VisibleFields {
  selection(): GraphSelection;
  /**
   * Must be called after a query failed with INVALID_FIELD. Asks the org which fields the integration user may see, and returns the
   * selection of these. Throws `schema-mismatch` if an essential field is hidden.
   */
  narrow(call: RestCall): Promise<GraphSelection>;
}

/**
 * Creates the selection of fields for queries. At first all fields are selected. After `narrow` was called, hidden fields are left out for
 * ten minutes (`NARROWED_FOR_MS`), and their values are unknown.
 */
export function createVisibleFields(
  session: Session,
  options: {
    readonly multiCurrency: boolean;
    readonly now: () => number;
    readonly mappings?: readonly CrmNames[];
  },
): VisibleFields {
  const full = fullSelection(options.multiCurrency, options.mappings);
  let narrowed: { readonly selection: GraphSelection; readonly atMs: number } | null = null;
  return {
    selection() {
      if (narrowed !== null && options.now() - narrowed.atMs >= NARROWED_FOR_MS) narrowed = null;
      return narrowed?.selection ?? full;
    },
    async narrow(call) {
      // The time is taken before the request, because a late answer may show the fields that the user could see when it was sent.
      const atMs = options.now();
      const selection: Record<GraphObject, readonly string[]> = { ...full };
      for (const object of GRAPH_OBJECTS) {
        const visible = await visibleNames(session, object, full[object], call);
        const hidden = ESSENTIAL_FIELDS[object].filter((name) => !visible.has(name));
        if (hidden.length > 0) {
          throw crmError('schema-mismatch', 'INVALID_FIELD', {
            fields: hidden.map((name) => `${object}.${name}`),
          });
        }
        selection[object] = full[object].filter((name) => visible.has(name));
      }
      narrowed = { selection, atMs };
      return selection;
    },
  };
}

/**
 * The names of the fields that the integration user may see. They include all visible fields of the object. They also include visible
 * fields of related objects, if `asked` contains their paths. A path such as `Account.Name` names a lookup and a field. It is included if
 * at least one object to which the lookup may refer shows the field.
 */
async function visibleNames(
  session: Session,
  object: string,
  asked: readonly string[],
  call: RestCall,
): Promise<ReadonlySet<string>> {
  const fields = await describedFields(session, object, call);
  const visible = namesOf(fields);
  for (const path of asked.filter((name) => name.includes('.'))) {
    const [relationship, name = ''] = path.split('.');
    const lookup = fields.find((field) => field['relationshipName'] === relationship);
    for (const target of listOf(lookup?.['referenceTo'] ?? [])) {
      const found = await describedFields(session, textOf(target), call).catch(hiddenObject);
      if (namesOf(found).has(name)) visible.add(path);
    }
  }
  return visible;
}

type Described = readonly Readonly<Record<string, unknown>>[];

function namesOf(fields: Described): Set<string> {
  return new Set(fields.map((field) => textOf(field['name'])));
}

function hiddenObject(error: unknown): Described {
  if (error instanceof CrmError && error.code === 'INVALID_TYPE') return [];
  throw error;
}

async function describedFields(session: Session, object: string, call: RestCall): Promise<Described> {
  const path = `/sobjects/${object}/describe`;
  try {
    const answer = await session.request({ method: 'GET', path }, call);
    return listOf(objectOf(answer.body)['fields']).map(objectOf);
  } catch (error) {
    if (!(error instanceof CrmError) || error.kind !== 'gone') throw error;
    throw crmError('schema-mismatch', 'INVALID_TYPE', { fields: [object] });
  }
}
