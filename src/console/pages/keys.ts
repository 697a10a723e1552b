import { html } from 'hono/html';
import type { KeyStatus } from '../../operator/tenants/keys.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import { actionForm, badge, facts, type Html, type Piece, section, tenantPath, time } from './parts.ts';

/** The page of a tenant's vendor API key and its rotation, step by step. Shows no key. */
export function keysPage(status: KeyStatus, session: Session): Page {
  const { tenant, inUse, switchedAt, provenAt, waiting, rotation, rotationKey, paused } = status;
  const mayAct = allows(session.identity.grants, { role: 'administrator', tenant });
  const body = html`${section(
    'Key in use',
    facts([
      ['From', inUse],
      ['In use since', time(switchedAt)],
      ['Proven in both domains', time(provenAt)],
    ]),
    ...paused.map(
      ({ group, since, reason }) => html`<p>${badge('paused', 'bad')} ${group} since ${time(since)}: ${reason}</p>`,
    ),
  )}
${mayAct ? section('Another key', setForm(status, session)) : ''}
${section('Rotation', steps(status), mayAct ? forms(status, session) : html`<p class="small">An administrator of the tenant can rotate the key.</p>`)}
${
  waiting === null || rotationKey === 'missing'
    ? ''
    : section(
        'For the vendor’s administrators',
        html`<p>Give them this hash over the agreed secure channel.</p><pre>${waiting.hashedKey}</pre>`,
      )
}
${
  rotation === null
    ? ''
    : section(
        'Last rotation',
        facts([
          ['Phase', rotation.phase],
          ['Began', time(rotation.begunAt)],
          ['Proofs', rotation.proofs],
        ]),
      )
}`;
  return { title: `Keys of ${tenant}`, session, tenant, at: 'keys', body };
}

function steps({ waiting, rotation, rotationKey }: KeyStatus): Html {
  const isWaiting = waiting !== null && rotationKey !== 'missing';
  const step = (text: Piece, isNow: boolean): Html =>
    html`<li${isNow ? html` aria-current="step"` : ''}>${text} ${isNow ? badge('now', 'warn') : ''}</li>`;
  return html`<ol>${step('Request a new key', !isWaiting && rotation?.isRunning !== true)}
${step('The vendor generates it', rotation?.phase === 'generating')}
${step('The vendor’s administrators register its hash', isWaiting)}
${step('Confirm: the key is tested in both domains and put in use', isWaiting || rotationKey === 'in use')}</ol>
${rotationKey === 'missing' ? html`<p>The ledger lacks the new key of this rotation, for example after a restore. Discard the new key, then request another.</p>` : ''}`;
}

/**
 * The form in which an administrator enters an API key that the vendor issued without a rotation, for example after the last key has
 * expired.
 */
function setForm({ tenant }: KeyStatus, session: Session): Html {
  return html`<p>If the vendor has ended the key in use, enter the one that it hands out.</p>${actionForm({
    ...{ session, tenant, back: `${tenantPath(tenant)}/keys`, verb: 'keys set', button: 'Put it in use' },
    asks: `Put another key of ${tenant} in use?`,
    fields: html`<label for="key">Key</label><input id="key" name="key" type="password" required maxlength="1000" autocomplete="off" spellcheck="false">`,
  })}`;
}

function forms({ tenant, waiting, rotation }: KeyStatus, session: Session): Html {
  const own = { session, tenant, back: `${tenantPath(tenant)}/keys` };
  // A new key can wait although no rotation runs, for example after a restore. Another rotation then continues with this key.
  if (rotation?.isRunning !== true)
    return actionForm({
      ...own,
      verb: 'keys rotate',
      ...(waiting === null
        ? { button: 'Request a new key', asks: `Request a new key for ${tenant}?` }
        : { button: 'Continue with the new key', asks: `Continue the rotation of ${tenant}?` }),
    });
  return html`${actionForm({ ...own, verb: 'keys confirm', button: 'Confirm the new key' })}
${actionForm({ ...own, verb: 'keys abort', button: 'Discard the new key', asks: 'Discard the new key?' })}`;
}
