/** The exact lines of configuration that connect a model, per kind of provider. A phone has no room for all kinds in a row: it offers them in a list. */
import { SegmentedControl, Select } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { CopyButton } from "~/components/common/CopyButton";
import { SideScroll } from "~/components/common/SideScroll";
import { useT } from "~/i18n";
import css from "./Connect.module.css";

const kinds = {
  Ollama: `[[providers]]
name = "ollama"
kind = "ollama"
base_url = "http://127.0.0.1:11434"
local = true

[agent]
model = "ollama/qwen3:8b"`,
  "OpenAI-compatible": `[[providers]]
name = "local"
kind = "openai"
base_url = "http://127.0.0.1:8080/v1"
local = true

[agent]
model = "local/NAME-OF-THE-MODEL"`,
  OpenAI: `[[providers]]
name = "openai"
kind = "openai_responses"
base_url = "https://api.openai.com/v1"
api_key = "env:OPENAI_API_KEY"

[agent]
model = "openai/NAME-OF-THE-MODEL"`,
  Anthropic: `[[providers]]
name = "anthropic"
kind = "anthropic"
base_url = "https://api.anthropic.com"
api_key = "env:ANTHROPIC_API_KEY"

[agent]
model = "anthropic/NAME-OF-THE-MODEL"`,
  Mistral: `[[providers]]
name = "mistral"
kind = "mistral"
base_url = "https://api.mistral.ai/v1"
api_key = "env:MISTRAL_API_KEY"

[agent]
model = "mistral/mistral-large-latest"`,
};

export function Connect() {
  const t = useT();
  const [kind, setKind] = useState<keyof typeof kinds>("Ollama");
  const narrow = useMediaQuery("(max-width: 640px)");
  const lines = kinds[kind];
  const choice = {
    size: "sm", "aria-label": t("settings.connect"), value: kind, onChange: (value: string | null) => setKind((value ?? kind) as keyof typeof kinds),
    data: Object.keys(kinds).map((value) => ({ value, label: value === "OpenAI-compatible" ? t("settings.connectCompatible") : value })),
  };
  return (
    <div className={css.connect}>
      <div>{narrow ? <Select {...choice} allowDeselect={false} /> : <SegmentedControl {...choice} withItemsBorders={false} />}</div>
      <div className={css.lines}><SideScroll className={css.frame}><pre dir="ltr">{lines}</pre></SideScroll><span className={css.copy}><CopyButton text={() => lines} /></span></div>
    </div>
  );
}
