import { DEVICE_CODE_LIFE_S, type DeviceRequest } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useState } from "react";
import { duration } from "../../numbers.ts";

export interface DeviceQuestionProps {
  request: DeviceRequest;
  sending: boolean;
  onDecide: (approve: boolean) => void;
}

/** What a code would give, and to whom, before anybody decides. */
export function DeviceQuestion({ request, sending, onDecide }: DeviceQuestionProps): ReactNode {
  const { user_code: code, name, address } = request;
  const old = useSecondsSince(request);
  const left = DEVICE_CODE_LIFE_S - old;
  return (
    <div className="device">
      <div>
        <p className="small quiet">Is this the code in your terminal?</p>
        <p className="usercode">{code}</p>
        <dl className="defs">
          <dt>key name</dt>
          <dd className="wrap">
            <bdi>{name}</bdi>
          </dd>
          <dt>asked from</dt>
          <dd className="wrap">{address}</dd>
          <dt>asked</dt>
          <dd>
            {duration(old)} ago, {left > 0 ? `over in ${duration(left)}` : "over by now"}
          </dd>
          <dt>may do</dt>
          <dd>everything but manage keys and the account</dd>
        </dl>
        <div className="actions">
          <button className="button main" type="button" disabled={sending} onClick={() => onDecide(true)}>
            Approve
          </button>
          <button className="button" type="button" disabled={sending} onClick={() => onDecide(false)}>
            Deny
          </button>
        </div>
      </div>
      <div className="small">
        <p>Approve only a login that you started. A code read to you by phone or mail is not one.</p>
        <p className="quiet">
          The key goes to that terminal once and is stored here as a hash. Deny ends the request; the terminal says so.
        </p>
      </div>
    </div>
  );
}

/** Seconds since a code was asked for, as they pass. */
function useSecondsSince(request: DeviceRequest): number {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const from = Date.now();
    const tick = setInterval(() => setPassed((Date.now() - from) / 1000), 5000);
    return () => clearInterval(tick);
  }, [request]);
  return request.ageSeconds + passed;
}
