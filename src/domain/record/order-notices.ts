/** How the owner of an opportunity is told what became of its orders: not at all, by a task, or by a post on its feed. */
export const OWNER_NOTICES = ['none', 'task', 'chatter'] as const;
export type OwnerNotice = (typeof OWNER_NOTICES)[number];
