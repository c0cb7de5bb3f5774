import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Serves a constant by the bare framework, to measure the cost of its routing. */
@Controller('api/v2')
class ConstantController {
  @Get()
  constant(): Record<string, unknown> {
    return {
      name: 'Process Platform',
      version: '1.0.0',
      platformVersion: '18.1',
      interfaces: {
        main: '/api/v2',
        navigation: '/navigation/workplace',
        search: '/navigation/search/workplace',
      },
    };
  }
}

@Module({ controllers: [ConstantController] })
class ConstantModule {}

const app = await NestFactory.create(ConstantModule, { logger: false });
await app.listen(0, '127.0.0.1');
const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
process.stdout.write(`listens on http://127.0.0.1:${port}\n`);
process.once('SIGTERM', () => process.exit(0));
