"""A job of Harbor without containers: the environment is a folder, the agent answers from a table."""
import asyncio
import re
import shutil
from pathlib import Path

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

WRONG = {"large": (), "small": ("two",)}
COST = {"large": 0.02, "small": 0.002}


class Folder(BaseEnvironment):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.root = Path("roots").resolve() / self.session_id

    @staticmethod
    def type():
        return "folder"

    @property
    def capabilities(self):
        return EnvironmentCapabilities()

    def _validate_definition(self):
        pass

    def _at(self, path):
        return self.root / str(path).lstrip("/")

    async def start(self, force_build):
        for name in ("logs/agent", "logs/verifier", "logs/artifacts", "tests", "app"):
            self._at(name).mkdir(parents=True, exist_ok=True)

    async def stop(self, delete):
        shutil.rmtree(self.root, ignore_errors=True)

    async def upload_file(self, source_path, target_path):
        target = self._at(target_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, target)

    async def upload_dir(self, source_dir, target_dir):
        shutil.copytree(source_dir, self._at(target_dir), dirs_exist_ok=True)

    async def download_file(self, source_path, target_path):
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self._at(source_path), target_path)

    async def download_dir(self, source_dir, target_dir):
        source = self._at(source_dir)
        if source.exists():
            shutil.copytree(source, target_dir, dirs_exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        command = re.sub(r"(?<![\w.])/(logs|tests|app|solution)\b", rf"{self.root}/\1", command)
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", command, cwd=self._at("app"),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        out, error = await process.communicate()
        return ExecResult(stdout=out.decode(), stderr=error.decode(), return_code=process.returncode)


class Table(BaseAgent):
    @staticmethod
    def name():
        return "table"

    def version(self):
        return "1"

    async def setup(self, environment):
        pass

    async def run(self, instruction, environment, context):
        model = self.model_name.split("/")[-1]
        task = instruction.strip().split()[-1]
        context.n_input_tokens, context.n_cache_tokens, context.n_output_tokens = 400, 100, 20
        context.cost_usd = COST[model]
        if task == "three" and model == "small":
            await asyncio.sleep(60)  # longer than the task allows
        answer = "wrong" if task in WRONG[model] else task
        await environment.exec(f"echo {answer} > /app/answer.txt")
