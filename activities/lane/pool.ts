/** The records that one pass of a lane has under way, and the places that they take. */
export class Pool {
  readonly #underWay = new Map<string, Promise<void>>();
  /** Records that take a place. A record that has only its report to write takes none: it waits for more reports. */
  readonly #atWork = new Set<string>();
  /** Resolves when a place has become free, or a record has ended. */
  #moved = Promise.withResolvers<void>();
  /** How many places have become free since the ledger was asked for more. */
  #freed = 0;
  readonly #onPlace: (change: 1 | -1) => void;

  /** `onPlace`: a place was taken (1), or became free (-1). */
  constructor(onPlace: (change: 1 | -1) => void) {
    this.#onPlace = onPlace;
  }

  /** Places that are taken. */
  get atWork(): number {
    return this.#atWork.size;
  }

  get isEmpty(): boolean {
    return this.#underWay.size === 0;
  }

  /** So many places are free that the ledger is asked for more: few statements, each for many records. */
  get isWorthFilling(): boolean {
    return this.#atWork.size === 0 || this.#freed >= this.#atWork.size / 8;
  }

  /** Call it when the ledger is asked for more. */
  resetFreed(): void {
    this.#freed = 0;
  }

  /** `work` never rejects; it may free its place before it ends. */
  begin(key: string, work: (freePlace: () => void) => Promise<void>): void {
    this.#atWork.add(key);
    this.#onPlace(1);
    this.#underWay.set(key, this.#run(key, work));
  }

  /** Resolves when a place has become free or a record has ended since the last call. */
  async moved(): Promise<void> {
    await this.#moved.promise;
    this.#moved = Promise.withResolvers();
  }

  /** Resolves when no record is under way. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  async #run(key: string, work: (freePlace: () => void) => Promise<void>): Promise<void> {
    try {
      await work(() => this.#freePlace(key));
    } finally {
      this.#freePlace(key);
      this.#underWay.delete(key);
      this.#moved.resolve();
    }
  }

  #freePlace(key: string): void {
    if (!this.#atWork.delete(key)) return;
    this.#freed += 1;
    this.#onPlace(-1);
    this.#moved.resolve();
  }
}
