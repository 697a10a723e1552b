import type { CrmSchema, SchemaField, SchemaObject } from '../domain/record/crm-schema.ts';
import { flagOf, listOf, objectOf, textOf } from './answers.ts';
import { CrmError } from './errors.ts';
import type { RestCall, Session } from './session.ts';

type Json = Readonly<Record<string, unknown>>;

/** How the org describes these objects now, one request each. An object that the user may not see is missing. */
export async function readSchema(
  session: Session,
  objects: readonly string[],
  call: RestCall,
): Promise<CrmSchema> {
  const found = await Promise.all(
    objects.map(async (object) => {
      const described = await describe(session, object, call);
      return described === null ? [] : [[object, described] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

async function describe(session: Session, object: string, call: RestCall): Promise<SchemaObject | null> {
  try {
    const { body } = await session.request({ method: 'GET', path: `/sobjects/${object}/describe` }, call);
    const { fields, recordTypeInfos } = objectOf(body);
    return {
      fields: Object.fromEntries(
        listOf(fields)
          .map(objectOf)
          .map((field) => [textOf(field['name']), fieldOf(field)]),
      ),
      recordTypes: listOf(recordTypeInfos)
        .map(objectOf)
        .filter(({ available, master }) => available === true && master !== true)
        .map(({ developerName }) => textOf(developerName)),
    };
  } catch (error) {
    if (error instanceof CrmError && ABSENT.has(error.kind)) return null;
    throw error;
  }
}

const ABSENT: ReadonlySet<string> = new Set(['gone', 'permanent', 'drift']);

function fieldOf(field: Json): SchemaField {
  const { length, relationshipName } = field;
  return {
    type: textOf(field['type']),
    length: typeof length === 'number' ? length : 0,
    values: listOf(field['picklistValues'])
      .map(objectOf)
      .filter(({ active }) => active === true)
      .map(({ value }) => textOf(value)),
    isRestricted: field['restrictedPicklist'] === true,
    createable: flagOf(field['createable']),
    updateable: flagOf(field['updateable']),
    isCalculated: field['calculated'] === true,
    isRequired:
      field['createable'] === true && field['nillable'] === false && field['defaultedOnCreate'] !== true,
    lookup:
      typeof relationshipName === 'string'
        ? { name: relationshipName, to: listOf(field['referenceTo']).map(textOf) }
        : null,
  };
}
