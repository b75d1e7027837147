"""The loop as a fold over events: context, model, tools, stop. Its door is `execute.RunExecutor`; its readers use `view.RunView`."""
