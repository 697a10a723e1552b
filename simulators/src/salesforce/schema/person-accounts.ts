import { choice, field, flag, lookup, readOnly, text } from './fields.ts';
import type { FieldDef } from './types.ts';

const computed = { ...readOnly, calculated: false } as const;

/** Record types of accounts in an org with person accounts (SOAP guide: "Person Account Record Types"). */
export const ACCOUNT_TYPES = { business: 'Business_Account', person: 'PersonAccount' } as const;

/** Both record types, by object and developer name. Every user of such an org may choose them. */
export const CHOICES_FOR_ALL: ReadonlySet<string> = new Set(
  Object.values(ACCOUNT_TYPES).map((name) => `Account.${name}`),
);

const SALUTATIONS = ['Mr.', 'Ms.', 'Mrs.', 'Dr.', 'Prof.'];

/** The fields that an object gets in an org with person accounts (Object Reference: Account, Contact, RecordType). */
export function personAccountFields(object: string): readonly FieldDef[] {
  return FIELDS[object] ?? [];
}

const FIELDS: Readonly<Record<string, readonly FieldDef[]>> = {
  Account: [
    flag('IsPersonAccount', computed),
    lookup('RecordTypeId', 'RecordType', null),
    lookup('PersonContactId', 'Contact', null, computed),
    text('LastName', 80),
    text('FirstName', 40),
    choice('Salutation', SALUTATIONS),
    field('PersonEmail', 'email', { length: 80 }),
  ],
  Contact: [flag('IsPersonAccount', computed)],
  RecordType: [flag('IsPersonType', computed)],
};
