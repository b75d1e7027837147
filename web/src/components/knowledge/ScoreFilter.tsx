/** The lowest score of a hit that is shown. What is no score is kept as typed, and said to be none. */
import { NumberInput } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { useT } from "~/i18n";
import { scoreOf } from "~/state/searchAddress";
import css from "./ScoreFilter.module.css";

interface Properties { score: number | undefined; className?: string; onChange: (score: number | undefined) => void }

export function ScoreFilter({ score = 0, className, onChange }: Properties) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState<string | number>(score);
  const read = scoreOf(text);
  useEffect(() => { if (read !== score) setText(score); }, [score]);
  const write = (value: string | number) => {
    setText(value);
    const next = scoreOf(value);
    if (next !== null) onChange(next || undefined);
  };
  return (
    <>
      <label className={className}>{t("search.threshold")} <NumberInput
        size="xs" w={76} min={0} max={1} step={0.05} clampBehavior="none" allowedDecimalSeparators={[".", ","]} value={text} onChange={write} error={read === null} aria-describedby={read === null ? id : undefined}
        hideControls={false} stepHoldDelay={400} stepHoldInterval={80}
      /></label>
      {read === null && <p id={id} className={css.wrong} role="alert">{t("search.thresholdWrong")}</p>}
    </>
  );
}
