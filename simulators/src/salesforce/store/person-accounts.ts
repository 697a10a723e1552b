import { ACCOUNT_TYPES } from '../schema/person-accounts.ts';
import { failure } from './failure.ts';
import type { Row } from './row.ts';
import type { SaveContext } from './rule-types.ts';

/** Fields of a person that a business account does not have. */
const OF_PERSONS = ['LastName', 'FirstName', 'Salutation', 'PersonEmail'];

/**
 * Gives an account its record type and its kind, and a person account its name (Help: "Person Accounts"; the refusals as published for
 * imports of person accounts). A new account with a last name and without a record type is a person account. Any other has the org's
 * default type. An org without person accounts changes nothing.
 */
export function completeAccountKind(context: SaveContext, standardType: 'business' | 'person'): void {
  const { object, draft, given, before } = context;
  if (object.name !== 'Account' || !object.fields.has('ispersonaccount')) return;
  if (before === null && !given.has('RecordTypeId')) {
    const type = given.has('LastName') ? 'person' : standardType;
    draft['RecordTypeId'] = typeNamed(context, ACCOUNT_TYPES[type])?.['Id'] ?? null;
  }
  const isPerson = context.store.get('RecordType', String(draft['RecordTypeId']))?.['IsPersonType'] === true;
  const wrong = (isPerson ? ['Name'] : OF_PERSONS).filter((name) => given.has(name));
  if (wrong.length > 0) {
    const message = `Account: bad field names on insert/update call: ${wrong.join(', ')}`;
    throw failure(400, 'INVALID_FIELD_FOR_INSERT_UPDATE', message, wrong);
  }
  draft['IsPersonAccount'] = isPerson;
  if (!isPerson) return;
  if (!draft['LastName']) {
    throw failure(400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [LastName]', ['LastName']);
  }
  draft['Name'] = [draft['FirstName'], draft['LastName']].filter(Boolean).join(' ');
}

/** Refuses another contact of a person account: its person contact is the only one (SOAP guide; the error code is assumed). */
export function checkPersonContact({ store, object, draft, given }: SaveContext): void {
  if (object.name !== 'Contact' || !given.has('AccountId')) return;
  if (store.get('Account', String(draft['AccountId']))?.['IsPersonAccount'] !== true) return;
  const message = 'A person account has no other contacts than its own.';
  throw failure(400, 'FIELD_INTEGRITY_EXCEPTION', message, ['AccountId']);
}

function typeNamed({ store }: SaveContext, name: string): Row | undefined {
  return [...store.rows('RecordType')].find((row) => row['SobjectType'] === 'Account' && row['DeveloperName'] === name);
}
