import type { CrmSchema, OfferedValues, SchemaField, SchemaObject } from '../domain/record/crm-schema.ts';
import { flagOf, listOf, objectOf, textOf } from './answers.ts';
import { crmError } from './classify.ts';
import { sendComposite } from './composite.ts';
import { CrmError } from './errors.ts';
import type { RestCall, Session } from './session.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The only object for which the picklist values of each record type are read, because Lockstep writes the vendor's values into its
 * picklists.
 */
const TYPED = 'Opportunity';

/**
 * Reads the descriptions of objects in one request, which counts as one of the org's API calls. For the opportunity, one more request for
 * each active record type reads its picklist values. Objects that the org lacks or hides are left out.
 */
export async function readSchema(session: Session, objects: readonly string[], call: RestCall): Promise<CrmSchema> {
  const requests = objects.map((object, place) => ({
    method: 'GET' as const,
    path: `/sobjects/${object}/describe`,
    referenceId: `describe${place}`,
  }));
  const parts = await sendComposite(session, requests, { ...call, allOrNone: false });
  const found = await Promise.all(
    parts.map(async ({ body, error }, place) => {
      const object = objects[place] ?? '';
      if (error !== null && ABSENT.has(error.kind)) return [];
      if (error !== null) throw error;
      return [[object, await schemaOf(session, object, body, call)] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

async function schemaOf(session: Session, object: string, body: unknown, call: RestCall): Promise<SchemaObject> {
  const { fields, recordTypeInfos } = objectOf(body);
  const own = listOf(recordTypeInfos)
    .map(objectOf)
    .filter(({ master }) => master !== true);
  const usual = own.find(({ defaultRecordTypeMapping }) => defaultRecordTypeMapping === true);
  return {
    fields: Object.fromEntries(
      listOf(fields)
        .map(objectOf)
        .map((field) => [textOf(field['name']), fieldOf(field)]),
    ),
    recordTypes: own.filter(({ available }) => available === true).map(nameOf),
    defaultRecordType: usual === undefined ? null : nameOf(usual),
    offered: object === TYPED ? await offered(session, own, call) : {},
  };
}

function nameOf({ developerName }: Json): string {
  return textOf(developerName);
}

/**
 * The maximum number of active record types of the opportunity. Lockstep sends one request for each to read its picklist values, so an
 * answer with more counts as malformed. Salesforce recommends at most 200 record types for an object.
 */
const MOST_RECORD_TYPES = 500;

async function offered(
  session: Session,
  recordTypes: readonly Json[],
  call: RestCall,
): Promise<SchemaObject['offered']> {
  const active = recordTypes.filter((info) => info['active'] === true);
  if (active.length > MOST_RECORD_TYPES) throw crmError('transient', 'MALFORMED_ANSWER');
  const values: [string, OfferedValues | null][] = [];
  for (const info of active) {
    const id = encodeURIComponent(textOf(info['recordTypeId']));
    values.push([nameOf(info), await valuesOf(session, id, call)]);
  }
  return Object.fromEntries(values);
}

/**
 * Reads the picklist values that a record type offers; null if the org does not show them. The object's description does not contain them
 * (User Interface API: "Picklist Values Collection").
 */
async function valuesOf(session: Session, id: string, call: RestCall): Promise<OfferedValues | null> {
  const path = `/ui-api/object-info/${TYPED}/picklist-values/${id}`;
  try {
    const { body } = await session.request({ method: 'GET', path }, call);
    const byField = Object.entries(objectOf(objectOf(body)['picklistFieldValues']));
    return Object.fromEntries(
      byField.map(([field, answer]) => [
        field,
        listOf(objectOf(answer)['values'])
          .map(objectOf)
          .map(({ value }) => textOf(value)),
      ]),
    );
  } catch (error) {
    if (error instanceof CrmError && ABSENT.has(error.kind)) return null;
    throw error;
  }
}

const ABSENT: ReadonlySet<string> = new Set(['gone', 'permanent', 'schema-mismatch']);

function fieldOf(field: Json): SchemaField {
  const { length, relationshipName, label } = field;
  return {
    ...(typeof label === 'string' ? { label } : {}),
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
    isRequired: field['createable'] === true && field['nillable'] === false && field['defaultedOnCreate'] !== true,
    lookup:
      typeof relationshipName === 'string'
        ? { name: relationshipName, to: listOf(field['referenceTo']).map(textOf) }
        : null,
  };
}
