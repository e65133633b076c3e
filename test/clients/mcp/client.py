"""Calls the tools that CALLS names, and prints a line of JSON for each. The client holds every answer against the tool's schema."""

import asyncio
import json
import os

from mcp import Client


async def main() -> None:
    async with Client(os.environ["MCP_URL"]) as client:
        tools = (await client.list_tools()).tools
        prompts = (await client.list_prompts()).prompts
        say(
            protocol=client.protocol_version,
            tools=[tool.name for tool in tools],
            prompts=[prompt.name for prompt in prompts],
        )
        for call in json.loads(os.environ["CALLS"]):
            result = await client.call_tool(call["name"], call["arguments"])
            say(name=call["name"], isError=result.is_error, structuredContent=result.structured_content)
        for prompt in prompts:
            made = await client.get_prompt(prompt.name, {"url": "example.com"})
            say(name=prompt.name, messages=[message.content.model_dump()["text"] for message in made.messages])


def say(**line: object) -> None:
    print(json.dumps(line))


asyncio.run(main())
