import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { PREVIEW } from './navigation.schemas.js';
import { KnownParameters } from '../http/request-format.guard.js';
import { requiredParameter } from '../http/query-string.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission } from '../security/permission.guard.js';
import { type Preview, PreviewService } from './preview.service.js';

/** Previews another person's workplace, with the reason for every application. */
@Controller('api/v2/navigation/preview')
@RequirePermission('workplaces:read')
export class PreviewController {
  constructor(private readonly previews: PreviewService) {}

  @ApiOperation({
    operationId: 'getPreview',
    tag: 'Navigation',
    summary: 'Preview the applications that a person sees, each with the reason',
    parameters: [
      queryParameter('user', 'URI or id of the person', {
        required: true,
        example: '/directory/users/24',
      }),
    ],
    answer: PREVIEW,
    errors: [404],
  })
  @Get()
  @KnownParameters('user')
  async preview(@Req() request: Request, @CurrentCaller() { locale }: Caller): Promise<Preview> {
    return this.previews.preview(requiredParameter(request, 'user'), locale);
  }
}
