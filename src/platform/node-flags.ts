/**
 * Flags of Node for workers, receivers and consoles. Without them, V8 would let the part of the heap for new objects grow to 128 MB under
 * load, and the part for old objects to several times its size after the last garbage collection (`npm run bench:memory`).
 */
export const SERVICE_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=20'] as const;

/**
 * The environment variables of workers, receivers and consoles. Without `MALLOC_ARENA_MAX`, glibc would give each thread a heap of its own,
 * and would seldom return that heap's memory.
 */
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;
