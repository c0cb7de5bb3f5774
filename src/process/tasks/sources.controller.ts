import { Controller } from '@nestjs/common';
import { resourceController } from '../../resources/http/resource.controller.js';
import type { PendingWrite } from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { sources } from './source.resource.js';

/** Administrators write sources. */
@Controller('api/v2/process/sources')
export class SourcesController extends resourceController(sources) {
  override hooks: WriteHooks = { asksForProof };
}

/** A service account creates tasks for all users, even after the session that appointed it has ended. */
function asksForProof({ before }: PendingWrite, changed: string[]): boolean {
  return before === undefined || changed.includes('serviceAccount');
}
