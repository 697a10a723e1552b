import type { KindValue } from '../../record/canonical.ts';
import type { FieldKind } from '../../record/field-spec.ts';
import type { Lens } from '../lens.ts';
import { CODE } from './code.ts';
import { CODES } from './codes.ts';
import { CUSTOMER_CONTACTS } from './customer-contacts.ts';
import { DATE } from './date.ts';
import { EMAIL } from './email.ts';
import { ENTITY } from './entity.ts';
import { LINES } from './lines.ts';
import { PARTNER_CONTACTS } from './partner-contacts.ts';
import { TEXT } from './text.ts';

export const LENSES: { readonly [K in FieldKind]: Lens<KindValue[K]> } = {
  text: TEXT,
  email: EMAIL,
  code: CODE,
  date: DATE,
  codes: CODES,
  entity: ENTITY,
  lines: LINES,
  'customer-contacts': CUSTOMER_CONTACTS,
  'partner-contacts': PARTNER_CONTACTS,
};
