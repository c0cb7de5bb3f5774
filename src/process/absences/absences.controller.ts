import { Controller, Inject } from '@nestjs/common';
import { resourceController } from '../../resources/http/resource.controller.js';
import { absences } from './absence.resource.js';
import { AbsenceRules } from './absence.rules.js';

/** People write their own absences; administrators write those of all users (docs/api-contract.md#absences). */
@Controller('api/v2/process/absences')
export class AbsencesController extends resourceController(absences) {
  @Inject(AbsenceRules) override hooks!: AbsenceRules;
}
