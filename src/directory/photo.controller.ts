import { Controller, Delete, Get, HttpCode, Param, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../config/config.js';
import { invalidField, notFound } from '../errors/refusals.js';
import { AnyAccept } from '../negotiation/content.guard.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { Origin } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { Access } from '../security/access.guard.js';
import { RequestOrigin } from '../security/origin.js';
import { managesAccount } from './account.controller.js';
import { AccountService } from './account.service.js';
import { answerPicture } from './answer-picture.js';
import { PhotosService } from './photos.service.js';
import { users } from './user.resource.js';

/** A user's photo: JPEG, PNG or WebP in, always WebP out. */
@Controller('api/v2/directory/users/:id/photo')
export class PhotoController {
  constructor(
    private readonly photos: PhotosService,
    private readonly reader: ResourceReader,
    private readonly config: Config,
    readonly account: AccountService,
  ) {}

  @Get()
  @AnyAccept()
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.reader.get(users, caller, id);
    const photo = await this.photos.find(id);
    if (!photo) throw notFound();
    answerPicture(request, response, this.config, photo);
  }

  @Put()
  @Access(managesAccount)
  @HttpCode(204)
  async store(
    @RequestOrigin() origin: Origin,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<void> {
    if (!Buffer.isBuffer(request.body) || request.body.length === 0)
      throw invalidField('body', 'is empty');
    await this.photos.store(id, request.body, origin);
  }

  @Delete()
  @Access(managesAccount)
  @HttpCode(204)
  async delete(@RequestOrigin() origin: Origin, @Param('id') id: string): Promise<void> {
    await this.photos.delete(id, origin);
  }
}
