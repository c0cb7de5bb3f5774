import pLimit from 'p-limit';
/** Lets a few at a time in for each key; the others wait, in the order in which they came. */
export class Turns {
    atOnce;
    queues = new Map();
    constructor(atOnce) {
        this.atOnce = atOnce;
    }
    async take(key, work) {
        let queue = this.queues.get(key);
        if (!queue)
            this.queues.set(key, (queue = pLimit(this.atOnce)));
        try {
            return await queue(work);
        }
        finally {
            if (queue.activeCount + queue.pendingCount === 0)
                this.queues.delete(key);
        }
    }
}
//# sourceMappingURL=turns.js.map