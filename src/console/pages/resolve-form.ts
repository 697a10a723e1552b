import { html } from 'hono/html';
import type { Session } from '../access/sessions.ts';
import { actionForm, type Html } from './parts.ts';

type Conflict = {
  readonly session: Session;
  readonly tenant: string;
  readonly id: string;
  readonly field: string;
  readonly back: string;
};

/** The form that decides one conflict: one side's value, or another value for both sides. */
export function resolveForm({ session, tenant, id, field, back }: Conflict): Html {
  const name = `resolve-${id}-${field}`.replaceAll(/[^\w-]/g, '-');
  const choice = (take: string, text: string, isChecked: boolean): Html =>
    html`<label><input type="radio" name="take" value="${take}"${isChecked ? ' checked' : ''} required> ${text}</label>`;
  const fields = html`<fieldset><legend>Decide ${field}</legend>${choice('crm', 'keep Salesforce’s', false)}${choice('vendor', 'keep the vendor’s', false)}${choice('value', 'another:', false)}
<input name="value" aria-label="Another value of ${field}, as Salesforce stores it" autocomplete="off"></fieldset>`;
  return actionForm({
    ...{ session, tenant, back, verb: 'conflicts resolve', button: 'Decide', id: name },
    hidden: { id, field },
    fields,
  });
}
