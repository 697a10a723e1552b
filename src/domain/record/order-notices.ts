/** How Lockstep notifies an opportunity's owner about its orders: not at all, with a task, or with a feed post. */
export const OWNER_NOTICES = ['none', 'task', 'chatter'] as const;
export type OwnerNotice = (typeof OWNER_NOTICES)[number];
