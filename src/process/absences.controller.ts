import { Controller } from '@nestjs/common';
import { resourceController } from '../resources/resource.controller.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { absences } from './absence.resource.js';
import { absenceHooks } from './absence.rules.js';

/** People write their own absences, administrators those of everybody (docs/api-contract.md#absences). */
@Controller('api/v2/process/absences')
export class AbsencesController extends resourceController(absences) {
  override hooks: WriteHooks = absenceHooks;
}
