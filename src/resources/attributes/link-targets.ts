import type { Resource } from '../resource.js';

/**
 * The resources that a link can point to. A description names them, because the files of resources that
 * link each other cannot import each other; `connectLinks` finds them by these names.
 */
export class LinkTargets {
  private connected: Resource[] | undefined;

  constructor(readonly names: readonly string[]) {}

  /** @throws Error before `connectLinks` */
  get resources(): Resource[] {
    if (!this.connected)
      throw new Error(`the links to ${this.names.join(', ')} are not connected yet`);
    return this.connected;
  }

  connect(targets: Resource[]): void {
    this.connected = targets;
  }
}
