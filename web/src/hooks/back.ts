/** Waits until the server answers again after it could not be reached. */
import { useEffect, useRef, useState } from "react";
import { api } from "~/api/client";
import { isUnanswered } from "~/api/http";

const pause = 1500;

/** Whether the server has answered since `error`, an unanswered request; `then` is done once when it does. */
export function useBack(error: unknown, then?: () => void): boolean {
  const [over, setOver] = useState<unknown>(null);
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    if (!isUnanswered(error)) return;
    let waiting = true;
    const look = () => void api.health().then(() => {
      if (!waiting) return;
      setOver(error);
      latest.current?.();
    }, () => { if (waiting) timer = setTimeout(look, pause); });
    let timer = setTimeout(look, pause);
    return () => { waiting = false; clearTimeout(timer); };
  }, [error]);
  return isUnanswered(error) && over === error;
}
