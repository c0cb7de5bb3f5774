import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { KnownParameters } from '../http/request-format.guard.js';
import { requiredParameter } from '../http/query-string.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { AdministratorOnly } from '../security/roles.guard.js';
import { type Preview, PreviewService } from './preview.service.js';

/** Previews another person's workplace, with the reason for every application. */
@Controller('api/v2/navigation/preview')
@AdministratorOnly()
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  @Get()
  @KnownParameters('user')
  async preview(@Req() request: Request, @CurrentCaller() { locale }: Caller): Promise<Preview> {
    return this.previews.preview(requiredParameter(request, 'user'), locale);
  }
}
