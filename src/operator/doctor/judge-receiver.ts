import { type Judgment, ok } from './finding.ts';

/** Judges whether the webhook receiver is ready for messages. `isReady` is null if the receiver's address is not known. */
export function judgeReceiver(isReady: boolean | null): readonly Judgment[] {
  if (isReady === null) {
    return [
      {
        verdict: 'skipped',
        what: 'the address of the webhook receiver is not known here',
        repair: 'name it: --receiver https://…',
      },
    ];
  }
  if (isReady) return [ok('the webhook receiver takes deliveries')];
  return [
    {
      verdict: 'fails',
      what: 'the webhook receiver takes no deliveries',
      repair: 'see its /readyz, or start it: lockstep serve',
    },
  ];
}

/**
 * The webhook receiver's answer to a test message that names no opportunity. The message is sent in the way in which the org sends its
 * messages.
 */
export type RoundTrip =
  | { readonly kind: 'no-address' | 'no-path' | 'unreachable' | 'acknowledged' }
  /** The test message was refused. `code`: the receiver's error code; null if another server, such as a proxy, answered. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string | null };

const REPAIRS: Readonly<Record<string, string>> = {
  'unknown-path': 'give the receiver this tenant’s file with webhooks.paths as it is here, and restart it',
  'wrong-organization': 'correct salesforce.organizationId of the tenant file that the receiver has',
  'action-not-allowed': 'correct webhooks.actionIds of the tenant file that the receiver has',
};

export function judgeRoundTrip(trip: RoundTrip): readonly Judgment[] {
  switch (trip.kind) {
    case 'no-address':
      return [
        {
          verdict: 'skipped',
          what: 'no message was sent: the receiver’s address is not known',
          repair: 'name it: --receiver https://…',
        },
      ];
    case 'no-path':
      return [
        {
          verdict: 'skipped',
          what: 'the tenant has no path for outbound messages',
          repair: 'set webhooks.paths in its file, and that address in the org; changes else wait for the sweep',
        },
      ];
    case 'unreachable':
      return [
        {
          verdict: 'fails',
          what: 'the webhook receiver cannot be reached',
          repair: 'check its address, its certificate and what stands before it; or start it: lockstep serve',
        },
      ];
    case 'acknowledged':
      return [ok('a message to the tenant’s path is acknowledged')];
    case 'refused':
      return [refused(trip.status, trip.code)];
  }
}

function refused(status: number, code: string | null): Judgment {
  const repair = REPAIRS[code ?? ''] ?? 'see the log of the receiver, and of what stands before it';
  const by = code === null ? `something that is not the receiver answered ${status}` : `${code} (${status})`;
  return { verdict: 'fails', what: `a message to the tenant’s path is refused: ${by}`, repair };
}
