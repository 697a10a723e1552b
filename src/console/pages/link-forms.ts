import { html } from 'hono/html';
import type { Explanation } from '../../operator/explain/explanation.ts';
import type { Session } from '../access/sessions.ts';
import { actionForm, choiceField, type Html } from './parts.ts';

type Own = { readonly session: Session; readonly id: string; readonly back: string };

/**
 * For a record that is not linked, the form that links it with a record of the other side. For a linked record, the form that separates the
 * two records.
 */
export function linkForms({ tenant, crmId, vendorId }: Explanation, { session, id, back }: Own): Html {
  const own = { session, tenant, back };
  if (crmId !== null && vendorId !== null)
    return actionForm({
      ...{ ...own, verb: 'unlink', id: 'unlink', button: 'Separate the two', hidden: { id }, isPlain: true },
      asks: `Separate ${crmId} from ${vendorId}? Neither record is deleted.`,
    });
  const isOpportunity = crmId !== null;
  const known: Readonly<Record<string, string>> = isOpportunity ? { crmId } : { vendorId: vendorId ?? id };
  const [asked, label] = isOpportunity ? ['vendorId', 'Vendor id'] : ['crmId', 'Opportunity id'];
  const fields = html`<label for="other">${label}</label><input id="other" name="${asked}" required autocomplete="off">${choiceField(
    'prefer',
    'Where values differ',
    [
      ['', 'the field’s rule decides'],
      ['crm', 'Salesforce’s stay'],
      ['vendor', 'the vendor’s stay'],
    ],
  )}`;
  return actionForm({ ...own, verb: 'link', id: 'link', button: 'Link the two', hidden: known, fields });
}
