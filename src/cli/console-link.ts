import type { Grant } from '../console/access/roles.ts';
import { createSessions, LINK_MS } from '../console/access/sessions.ts';
import type { ConsoleLedger } from '../ledger/console/console-ledger.ts';

/** A one-time link to sign in to the console. Whoever opens the link acts as the user for whom it was made. `validUntil`: ISO. */
export type ConsoleLink = { readonly url: string; readonly validUntil: string };

type Offer = {
  /** The console's web address without a trailing slash, to which the link leads. */
  readonly base: string;
  readonly user: string;
  readonly grants: readonly Grant[];
  /** The present instant, ISO. The link is valid for a limited time from then on. */
  readonly at: string;
};

export async function consoleLink(ledger: ConsoleLedger, { base, user, grants, at }: Offer): Promise<ConsoleLink> {
  const startMs = Date.parse(at);
  const token = await createSessions(ledger, () => startMs).offer({ user, by: 'link', grants });
  return { url: `${base}/sign-in/link/${token}`, validUntil: new Date(startMs + LINK_MS).toISOString() };
}
