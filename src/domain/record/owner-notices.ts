/** How Lockstep notifies an opportunity's owner: not at all, with a task, with a bell notification, or with a feed post. */
export const OWNER_NOTICES = ['none', 'task', 'bell', 'chatter'] as const;
export type OwnerNotice = (typeof OWNER_NOTICES)[number];
/** A way in which an owner is notified. */
export type NoticeWay = Exclude<OwnerNotice, 'none'>;

/** A message to an opportunity's owner, in plain words. It names no person. */
export type Notice = { readonly subject: string; readonly body: string };
