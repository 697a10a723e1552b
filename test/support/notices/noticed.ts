import { messageOf } from '../../../src/domain/notices/message.ts';
import type { OpenState } from '../../../src/domain/notices/state.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { NoticesSetup } from '../../../src/notices/read-notices-file.ts';

const STATES: readonly Pick<OpenState, 'cause' | 'subject' | 'records'>[] = [
  { cause: 'remote-down', subject: 'vendor-order', records: null },
  { cause: 'records-wait', subject: 'required-on-create', records: 12 },
];

/** Two channels, of which the pages show names and types. */
export const CHANNELS = {
  console: null,
  channels: [
    { name: 'on-call', settings: { type: 'webhook' } },
    { name: 'mail', settings: { type: 'email' } },
  ],
} as unknown as NoticesSetup;

/** Stores two open states of a tenant, with a message to each channel: one that was sent, one that fails. `at`: ISO. */
export async function noticed(ledger: Ledger, tenant: string, at: string): Promise<void> {
  const later = new Date(Date.parse(at) + 86_400_000).toISOString();
  const changed = STATES.map((state): OpenState => {
    const to = ['on-call', 'mail'].map((channel) => ({ channel, way: 'now' as const }));
    return { ...state, since: at, foundAt: at, isAnnounced: true, goneSince: null, to };
  });
  const messages = changed.flatMap((state) =>
    state.to.map(({ channel, way }) => ({
      ...{ id: `msg_${state.cause}_${channel}`, channel, way, dueAt: at, expiresAt: later },
      message: messageOf({ kind: 'began', tenant, channel, way, state, at, dueAt: at }, null),
    })),
  );
  await ledger.saveNoticeStates(tenant, { generation: 0, changed, removed: [], messages }, at);
  const order = { channels: ['on-call', 'mail'], at, until: later, limit: 10 };
  for (const claimed of await ledger.claimMessages(order)) {
    const outcome =
      claimed.channel === 'mail'
        ? ({ kind: 'failed', error: 'SMTP_451', againAt: later } as const)
        : ({ kind: 'sent', error: null } as const);
    await ledger.settleMessage(claimed, outcome, at);
  }
}
