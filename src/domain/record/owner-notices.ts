/** How Lockstep notifies an opportunity's owner: not at all, with a task, with a bell notification, or with a feed post. */
export const OWNER_NOTICES = ['none', 'task', 'bell', 'chatter'] as const;
export type OwnerNotice = (typeof OWNER_NOTICES)[number];
/** A way in which an opportunity's owner is notified: a task, a bell notification or a feed post. */
export type NoticeWay = Exclude<OwnerNotice, 'none'>;

/** A message to an opportunity's owner, in plain words. It contains no name of a person. */
export type Notice = { readonly subject: string; readonly body: string };
