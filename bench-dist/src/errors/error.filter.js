var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Catch, Logger } from '@nestjs/common';
import { answerRefusal } from './answer-refusal.js';
import { refusalOf } from './refusal-of.js';
/** The one place where a thrown value becomes an answer. */
let ErrorFilter = class ErrorFilter {
    logger = new Logger('Error');
    catch(error, host) {
        const http = host.switchToHttp();
        const refusal = refusalOf(error);
        // A refusal that we threw ourselves tells nothing beyond the line of the request.
        if (refusal.status >= 500 && error !== refusal)
            this.report(error, refusal.status);
        answerRefusal(http.getResponse(), refusal, http.getRequest().path);
    }
    /** The inside is for the log alone; the caller gets a fixed text. */
    report(error, status) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        if (status === 503)
            this.logger.warn(text.split('\n')[0]);
        else
            this.logger.error(text);
    }
};
ErrorFilter = __decorate([
    Catch()
], ErrorFilter);
export { ErrorFilter };
//# sourceMappingURL=error.filter.js.map